#!/bin/bash
# Whoever names both arrays means whichever is there.
curl -fsS "$url" | tar x
check ${PIPESTATUS[@]} ${pipestatus[@]}
