#!/bin/zsh
setopt errexit
fetch_list() {
  curl -s https://example.org/list | jq -r '.[]' | sort
}
urls=$(fetch_list)
check_list || { print "no list"; exit 1 }
for u in ${(f)urls}; do
  wget -q $u || print "skipped $u"
done
if ! verify_all; then
  exit 3
fi
export COUNT=$(count_files)
publish "$(make_index)"
purge_old > /dev/null
