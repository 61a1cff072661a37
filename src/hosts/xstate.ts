/** Machines of XState 5 as processes. */
export { fromMachine, type FromMachineOptions, type MachineView } from './opaque/from-machine.ts';
