import { crash, untilQuiet } from 'culprit';
import { failover } from './failover.ts';

/** The master ends, and then a switch. */
export default failover(() => [untilQuiet(), crash('c1'), crash('s2')]);
