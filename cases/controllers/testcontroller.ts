/** Starts Open vSwitch's controller, a learning switch. It prints what it learns, without times. */
export const testcontroller =
  'ovs-testcontroller -vPATTERN:console:%m -vlearning_switch:console:dbg --unixctl=$dir/ctl ptcp:$port:$address';
