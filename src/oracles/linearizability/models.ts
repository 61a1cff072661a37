import { compareAndSet } from './models/compare-and-set.ts';
import { keyValue } from './models/key-value.ts';
import { queue } from './models/queue.ts';
import { register } from './models/register.ts';
import { set } from './models/set.ts';

/** Models of common objects. To write another, see `Model`. */
export const models = { register, compareAndSet, keyValue, queue, set } as const;
