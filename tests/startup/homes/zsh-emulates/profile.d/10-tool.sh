tool() {
  #= planted 50
  sleep 0.05
  return 0
}
case $- in
  *i*)
    #= planted 60
    sleep 0.06 ;;
esac
tool
