#!/bin/sh
# till.sh AMOUNT... prints the total of whole amounts, less the discount.

threshold=100
percent=10

total=0
for amount in "$@"; do
  total=$((total + amount))
done

if [ "$total" -gt "$threshold" ]; then
  total=$((total - total * percent / 100))
fi
echo "$total"
