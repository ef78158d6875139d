while (( $# )); do
  case $1 in (one)
    #= planted 50
    sleep 0.05;; (two)
    #= planted 60
    sleep 0.06
    ;;
  esac
  shift
done
