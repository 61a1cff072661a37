#!/bin/sh
# Stands for your testbed. It replays the inputs that it gets, one in each line, and exits with 1 if the violation happened, with 0 if it
# did not, and with 2 if it cannot say.
# This one "crashes" if a controller is restarted while a link is down.
down=no
while read -r input; do
  case $input in
    'fail s1-s2') down=yes ;;
    'repair s1-s2') down=no ;;
    'restart c1') [ $down = no ] || exit 1 ;;
    'ping '*) ;;
    *) echo "unknown input: $input" >&2; exit 2 ;;
  esac
done
exit 0
