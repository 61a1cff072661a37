import { sameData } from '../../oracles/linearizability/canonical.ts';
import type { Body } from '../protocol/body.ts';
import { whyWrongType, type Dice, type Workload } from './workload.ts';

/** Nodes answer with the text of the request. */
export const echo: Workload = {
  request: (dice: Dice, nth): Body => ({ type: 'echo', echo: `Please echo ${nth} ${dice.nextInt(0, 127)}` }),
  whyWrong: (request, reply) =>
    whyWrongType(request, reply, 'echo') ??
    (sameData(reply['echo'], request['echo'], 'an echo') ? undefined : 'it echoes something else'),
};
