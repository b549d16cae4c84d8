#!/usr/bin/env bash
# Reads give less than was asked for, are cut short by a signal, or fail. Pictures are whole, or the sentence says that
# the file cannot be read, not that it is damaged.
. "$(dirname "$0")/lib.sh"
failing_calls=${GLINT_TEST_HELPERS:-}/failing_calls.so
[ -e "$failing_calls" ] || { echo "the library that lets calls fail is not here"; exit 77; }
export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
cpu=(--backend cpu --quiet --threads 1 --jobs 1)

# Larger than the part read at first (64 KiB), in each format that is written.
{
    printf 'P6 200 160 255\n'
    for ((i = 0; i < 1500; i++)); do printf '%064d' $((i * i * 7919)); done
} >whole.ppm
names=(whole.ppm)
for format in png tiff pfm bmp tga jpg webp exr gif hdr jxl; do
    run batch '' whole.ppm -o "whole.$format" "${cpu[@]}" --quality 100 --lossless
    [ $status -ne 0 ] || names+=("whole.$format")
done
check "formats to read: ${names[*]}" test ${#names[@]} -ge 6
for name in "${names[@]}"; do
    gives 0 batch invert "$name" -o want.ppm "${cpu[@]}" --overwrite

    # With reads of 4096 bytes at most.
    FAULT_SHORT_READS=4096 LD_PRELOAD=$failing_calls gives 0 batch invert "$name" -o got.ppm "${cpu[@]}" --overwrite
    check "$name: the same picture of short reads" cmp want.ppm got.ppm

    # Each read in turn is cut short by a signal (EINTR), or fails (EIO).
    FAULT_CALL=read FAULT_COUNT=$work/counted LD_PRELOAD=$failing_calls run batch invert "$name" -o got.ppm "${cpu[@]}" --overwrite
    count=$(<counted)
    check "$name: reads: $count" test "$count" -ge 2
    step=$((count / 24 + 1))
    for ((k = 1; k <= count; k += step)); do
        rm -f got.ppm
        FAULT_CALL=read FAULT_AT=$k FAULT_ERROR=4 LD_PRELOAD=$failing_calls gives 0 batch invert "$name" -o got.ppm "${cpu[@]}"
        check "$name: the same picture though read $k was cut short" cmp want.ppm got.ppm
        rm -f got.ppm
        FAULT_CALL=read FAULT_AT=$k FAULT_ERROR=5 LD_PRELOAD=$failing_calls run batch invert "$name" -o got.ppm "${cpu[@]}"
        checks=$((checks + 1))
        if [ $status -eq 0 ]; then
            cmp -s want.ppm got.ppm || complain "$name: another picture once read $k failed"
        else
            grep -q "$name: cannot be read: Input/output error" .err || complain "$name: read $k failed, which is not said"
        fi
    done
done

finish
