import type { GivenFaultRates, MessageRate } from '../../system/fault-rates.ts';
import type { Deliver } from '../../trace/event.ts';
import { parseFrame } from '../frames/ethernet.ts';
import type { DeliveryRates } from './network-faults.ts';

/** The ether types of LLDP and BDDP, with which controllers discover links. */
const discovery: ReadonlySet<number | undefined> = new Set([0x88cc, 0x8942]);

/** The rates at which frames on links, and messages between controllers and switches, are lost or wait, and flow_mods take effect late. */
export function deliveryRates(
  { frameLoss, frameDelay, discoveryLoss, discoveryDelay, receiptDelay, sendDelay, tableDelay }: DeliveryRates,
  isController: (name: string) => boolean,
  isSwitch: (name: string) => boolean,
): GivenFaultRates {
  const ofFrame = (message: Deliver, data: number | undefined, ofDiscovery: number | undefined): number | undefined =>
    isOnLink(message) ? (discovery.has(typeOfFrame(message)) ? ofDiscovery : data) : 0;
  const isOnLink = ({ from, process, message }: Deliver): boolean =>
    from !== process && isSwitch(from) && isSwitch(process) && packetOf(message) !== undefined;
  const holds: MessageRate = (message) => {
    const { from, process } = message;
    if (isController(from) && isSwitch(process)) return receiptDelay ?? 0;
    if (isSwitch(from) && isController(process)) return sendDelay ?? 0;
    return ofFrame(message, frameDelay, discoveryDelay) ?? 0;
  };
  const losses: MessageRate = (message) => ofFrame(message, frameLoss, discoveryLoss) ?? 0;
  const are = (...rates: readonly (number | undefined)[]): boolean => rates.some((rate = 0) => rate > 0);
  return {
    ...(are(frameLoss, discoveryLoss) ? { losses } : {}),
    ...(are(frameDelay, discoveryDelay, receiptDelay, sendDelay) ? { holds } : {}),
    ...(are(tableDelay) ? { writes: ({ process }) => (isSwitch(process) ? (tableDelay ?? 0) : 0) } : {}),
  };
}

const packetOf = (message: unknown): string | undefined => {
  const { type, packet } = (message ?? {}) as { readonly type?: unknown; readonly packet?: unknown };
  return type === 'frame' && typeof packet === 'string' ? packet : undefined;
};

const typeOfFrame = ({ message }: Deliver): number | undefined => parseFrame(packetOf(message) ?? '')?.dlType;
