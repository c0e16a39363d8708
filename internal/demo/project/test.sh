#!/bin/sh
# Runs till.sh on receipts whose totals are known.

failed=0

check() { # NAME WANTED AMOUNT...
  name=$1 wanted=$2
  shift 2
  got=$(sh ./till.sh "$@")
  if [ "$got" = "$wanted" ]; then
    echo "ok    $name"
  else
    echo "FAIL  $name: sh till.sh $* printed $got, want $wanted"
    failed=1
  fi
}

check "empty receipt" 0
check "below the threshold" 99 40 59
check "at the threshold" 90 40 60
check "above the threshold" 180 150 50

[ "$failed" = 0 ] && echo "all tests passed"
exit "$failed"
