slow_plugin_setup() {
  #= planted 50
  sleep 0.05
}
slow_plugin_setup
