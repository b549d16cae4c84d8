#!/usr/bin/env bash
# glint serve: pictures of requests, filtered as batch filters files; its limits, and its end.
. "$(dirname "$0")/lib.sh"
command -v curl >/dev/null || { echo "SKIPPED: no curl"; exit 77; }
[ -e "$(dirname "$glint")/glint-http.so" ] || { echo "SKIPPED: built without libmicrohttpd"; exit 77; }
cpu=(--backend cpu --threads 1)

# begin ARGUMENTS...: glint serve ARGUMENTS in the background, once it serves.
begin() {
    last="glint serve $*"
    : >.err
    "$glint" serve "$@" "${cpu[@]}" >.out 2>.err </dev/null &
    pid=$!
    patiently grep -qs 'serving on' .err || complain "it does not serve"
}
end() { # end STATUS: ends that by SIGTERM, and checks its status
    kill -TERM "$pid"
    wait "$pid"
    status=$?
    checks=$((checks + 1))
    [ "$status" -eq "$1" ] || complain "exit status $status, want $1"
}
# ask WANT PATH CURL-ARGUMENTS...: a request; its answer's status must be WANT, and .answer holds its body.
ask() {
    local want=$1 path=$2
    shift 2
    last="curl $* $path"
    status=$(curl -s -o .answer -D .head -w '%{http_code}' --unix-socket sock "$@" "http://x$path")
    checks=$((checks + 1))
    [ "$status" = "$want" ] || complain "status $status, want $want: $(head -c 300 .answer)"
}
error() {
    checks=$((checks + 1))
    jq -e --arg want "$1" '.error | test($want)' .answer >/dev/null || complain "no error like $1: $(head -c 300 .answer)"
}

picture a.ppm 61 47 1
for i in 1 2 3 4 5 6; do picture p$i.ppm $((40 + i)) 30 $i; done
"$glint" batch gaussian=2,sharpen a.ppm -o want.ppm --quiet "${cpu[@]}" || exit 1
"$glint" batch gaussian=2 a.ppm -o want.png --quiet "${cpu[@]}" || exit 1
for i in 1 2 3 4 5 6; do "$glint" batch median=5 p$i.ppm -o want$i.ppm --quiet "${cpu[@]}" || exit 1; done

begin --socket sock --jobs 2 --max-bytes 100000 --timeout 100
check "this user's alone" test "$(stat -c %a sock)" = 600

# The answers are the files that batch writes, also the second time, and for many at a time.
for round in 1 2; do
    ask 200 '/filter?chain=gaussian=2,sharpen' --data-binary @a.ppm
    check "round $round" cmp .answer want.ppm
done
check "the times" grep -qiE '^Glint-Times: total;dur=[0-9.]+, decode;dur=[0-9.]+, encode;dur=[0-9.]+, [a-z]+;dur=' .head
ask 200 '/filter?chain=gaussian=2&format=png' --data-binary @a.ppm
check "another format" cmp .answer want.png
check "its type" grep -qi '^Content-Type: image/png' .head
ask 200 '/filter?chain=gaussian%3D2&format=png' --data-binary @a.ppm
check "an encoded chain" cmp .answer want.png
ask 200 '/filter?chain=gaussian=2,sharpen' -H 'Transfer-Encoding: chunked' --data-binary @a.ppm
check "in chunks" cmp .answer want.ppm
last="many requests at a time"
for k in 1 2 3 4 5 6 7 8; do
    for i in 1 2 3 4 5 6; do
        curl -s --unix-socket sock --data-binary @p$i.ppm "http://x/filter?chain=median=5" -o got$k-$i.ppm &
        clients[k * 6 + i]=$!
    done
done
wait "${clients[@]}"
for k in 1 2 3 4 5 6 7 8; do for i in 1 2 3 4 5 6; do check "$k, $i" cmp got$k-$i.ppm want$i.ppm; done; done

# Requests that cannot be answered are told why, as JSON.
ask 200 /
check "about the server" jq -e '.glint == "serve" and .backend == "cpu" and .jobs == 2' .answer
ask 400 '/filter?chain=gausian' --data-binary @a.ppm
error 'no filter .gausian.; did you mean .gaussian.'
ask 400 '/filter' --data-binary @a.ppm
error 'no chain'
ask 400 '/filter?chain=gaussian=2' -X POST
error 'no body'
ask 400 '/filter?chain=gaussian=2&format=none' --data-binary @a.ppm
error 'format is .none.'
ask 404 /other
error 'no such path'
ask 405 '/filter?chain=gaussian=2'
ask 422 '/filter?chain=gaussian=2' --data-binary 'this is no picture'
error 'no known picture format'
head -c 500 a.ppm >torn.ppm
ask 422 '/filter?chain=gaussian=2' --data-binary @torn.ppm
error 'the body: '
printf 'P6\n999999 999999\n255\nx' >vast.ppm
ask 422 '/filter?chain=gaussian=2' --data-binary @vast.ppm
head -c 200000 /dev/zero >large
ask 413 '/filter?chain=gaussian=2' --data-binary @large
error 'larger than 100000 bytes'
ask 413 '/filter?chain=gaussian=2' -H 'Transfer-Encoding: chunked' --data-binary @large
error 'larger than 100000 bytes'
ask 200 '/filter?chain=gaussian=2,sharpen' --data-binary @a.ppm
check "it goes on" cmp .answer want.ppm

# Requests reach no files.
echo '1 2 1' >mask.txt
for chain in 'convolve=file=mask.txt' 'difference=a.ppm' 'gaussian=2:within=a.ppm' 'convolve=file=/etc/passwd'; do
    status=$(curl -s -o .answer -w '%{http_code}' --unix-socket sock --data-binary @a.ppm \
        "http://x/filter?chain=$(printf %s "$chain" | jq -sRr @uri)")
    check "$chain: status $status" test "$status" = 400
    error 'names the file'
done

# A second server, files in its place, and what another one left.
run serve --socket sock "${cpu[@]}"
check "a second server: $status" test "$status" -eq 2
says 'sock: another server listens there'
gives 2 serve --socket a.ppm "${cpu[@]}"
says 'a.ppm: something else is there'
gives 2 serve "${cpu[@]}"
says 'want --socket PATH or --port N'
gives 2 serve --socket "$(printf 'x%.0s' $(seq 200))" "${cpu[@]}"
end 0
refute "the socket is gone" test -e sock
begin --socket sock
kill -KILL "$pid"
wait "$pid" 2>/dev/null
check "one that was killed leaves it" test -S sock
begin --socket sock --trusted --timeout 4
ask 200 '/filter?chain=gaussian=2,sharpen' --data-binary @a.ppm
check "in its place" cmp .answer want.ppm

# A client that says nothing keeps nobody waiting, and does not keep the server from its end.
last="a silent client"
python3 -c '
import socket, time
s = socket.socket(socket.AF_UNIX)
s.connect("sock")
s.sendall(b"POST /filter?chain=invert HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\nP6")
print(len(s.recv(1000)))' >silent.txt &
silent=$!
ask 200 '/filter?chain=gaussian=2,sharpen' --data-binary @a.ppm
check "another client" cmp .answer want.ppm
wait "$silent"

end 0
# A request under way ends before the server does.
begin --socket sock
picture slow.ppm 900 700 5
"$glint" batch nlmeans slow.ppm -o want-slow.ppm --quiet "${cpu[@]}" || exit 1
curl -s --unix-socket sock --data-binary @slow.ppm 'http://x/filter?chain=nlmeans' -o slow-answer.ppm &
client=$!
sleep 0.3
end 0
wait "$client"
check "it was answered" cmp slow-answer.ppm want-slow.ppm

begin --port 0
port=$(grep -oE '127.0.0.1:[0-9]+' .err)
status=$(curl -s -o .answer -w '%{http_code}' --data-binary @a.ppm "http://$port/filter?chain=gaussian=2,sharpen")
check "on a port" cmp .answer want.ppm
end 0

finish
