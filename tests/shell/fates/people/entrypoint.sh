#!/bin/sh
set -eu
if [ "$1" = migrate ]; then
  python manage.py migrate
  exit
fi
until pg_isready -h db; do
  sleep 1
done
version=$(cat VERSION | tr -d '\n')
envsubst < app.conf.in > app.conf
python manage.py check && python manage.py compress
python manage.py loaddata base || echo "no fixtures"
exec gunicorn app:wsgi
