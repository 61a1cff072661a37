// A culprit with a controller that has a checkpoint and a copy: `node checkpointed.mjs <controller> <mark>`. It prints a line when both are there, and waits.
import { resolveSystem, targetOf } from 'culprit/kernel';
import { controller, defineNetwork, linear } from 'culprit/networks';

const [, , program, mark] = process.argv;
const inside = { shim: 'python', sockets: true, checkpoints: true };
const c1 = controller(['python3', '-X', mark, program, '$address', '$port', '60'], { inside });
const system = resolveSystem(defineNetwork({ controllers: { c1 }, topology: linear(1) }));
const session = targetOf(system).open(1);
for (const item of system.plan(1).items) if (item.kind === 'start') await session.perform(item);
const checkpoint = await session.checkpoint();
await checkpoint.proceed();
console.log('proceeded');
setInterval(() => undefined, 1 << 30);
