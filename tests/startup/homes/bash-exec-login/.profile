for file in ~/zsh/*.sh; do
  . "$file"
done
#= planted 50
sleep 0.05
