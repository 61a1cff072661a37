#!/bin/bash
cd /work/wt/cases-c
for n in 10 7 9; do timeout 900 node --import ./tools/source/built.mjs .gate.mjs $n minimized 3 1; done
