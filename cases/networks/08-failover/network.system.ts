import { crash, untilQuiet } from 'culprit';
import { failover } from './failover.ts';

/** The master ends, and then a link. */
export default failover((net) => [untilQuiet(), crash('c1'), net.cutLink('s1', 's2')]);
