#!/usr/bin/env bash
set -Eeuo pipefail
shopt -s inherit_errexit lastpipe

on_error() {
  notify "canary failed"
  kubectl rollout undo deploy/web
}
trap on_error ERR

image=$(docker build -q . | tail -n 1)
kubectl set image deploy/web "web=$image"

healthy=no
for try in 1 2 3; do
  if curl -fsS http://localhost/health; then
    healthy=yes
    break
  fi
  sleep 5
done
[ "$healthy" = yes ] || exit 1

kubectl get pods | while read -r pod; do
  kubectl logs "$pod" > "$pod.log" || true
done
notify "canary is up"
