import { linearizable } from '../../oracles/linearizability/linearizable.ts';
import { compareAndSet } from '../../oracles/linearizability/models/compare-and-set.ts';
import type { Body } from '../protocol/body.ts';
import { whyWrongType, type Dice, type NotedCall, type Workload } from './workload.ts';

const VALUE_MAX = 4;

/** A store of values by key, each of which is linearizable. */
export const linKv = (keys: number): Workload => ({
  request(dice: Dice): Body {
    const key = dice.nextInt(0, keys - 1);
    const value = (): number => dice.nextInt(0, VALUE_MAX);
    switch (dice.nextInt(0, 2)) {
      case 0:
        return { type: 'read', key };
      case 1:
        return { type: 'write', key, value: value() };
      default:
        return { type: 'cas', key, from: value(), to: value() };
    }
  },
  whyWrong: (request, reply) => whyWrongType(request, reply, request.type === 'read' ? 'value' : undefined),
  noted: {
    call: notedCall,
    output: (request, reply) => (request.type === 'read' ? reply['value'] : request.type === 'cas' ? true : undefined),
  },
  oracle: linearizable(compareAndSet(null)),
});

/** As the model of a register with compare-and-set has it. A definite error says that nothing happened, as in Maelstrom, and no more. */
function notedCall({ type, key, value, from, to }: Body): NotedCall {
  const input =
    type === 'read' ? { f: 'read' } : type === 'write' ? { f: 'write', value } : { f: 'cas', value: [from, to] };
  return { input, key: String(key) };
}
