# test_diary_student.sh: goals of a person who learns what each level buys: the tour, done as it says. A log of shown frames,
# with file, chain and level, tells afterwards what the window has shown.
source "$(dirname "$0")/diary.sh"
display -screen 0 1280x800x24

# shows NAME: the window has drawn all that was pressed, and shows something new.
shows() {
    shoot now.png
    [ ! -e last.png ] || ! cmp -s now.png last.png || return 1
    mv now.png last.png
}

begin --log log.csv
press F3
goal "the tour begins with the photograph" shows
press F3 A
word gauss
press Return
goal "blur it" shows
press F3 bracketright
goal "more of it" shows
press F3 s
goal "before and after" shows
press F3 1
goal "the lowest rung" shows
press F3 Up Up
goal "two rungs up" shows
press F3 l
goal "a race" shows
press F3 k
goal "the roofline" shows
press F3 d
goal "the changes" shows
press F3
goal "the ladder of a GPU" shows
press F3 i
title() { xdotool getwindowname "$id" | grep -q -e "$1"; }
goal "a traced scene" title '^packed'
press F3
press ctrl+q
ended
# logged PATTERN: a row of the log has this file, chain and level, behind the row that the pattern before has found.
awk -F '"' 'NR > 1 { print $2 "|" $4 "|" $8 }' log.csv >rows.txt
from=1
logged() {
    local row
    row=$(tail -n "+$from" rows.txt | grep -nE -m 1 -e "$1" | cut -d : -f 1)
    check "the window has shown $1" [ -n "$row" ]
    from=$((from + ${row:-0}))
}
logged '/photo\.jpg.gaussian'
logged '/photo\.jpg.gaussian=2\.[1-9]'
logged '/photo\.jpg.gaussian=2\.[1-9][|]naive$'
logged '/photo\.jpg.gaussian=2\.[1-9][|][^n]'
logged '^packed'
at_most 40
finish
