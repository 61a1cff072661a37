import { expect, test } from 'vitest';
import { hunt, ViolationFound } from 'culprit';
import lock from '../../cases/lock/lock.system.ts';

test('a violation that cannot be saved is reported, with the reason why it is in no file', async () => {
  // No user can create folders there, not even root.
  const found = await hunt(lock, { directory: '/proc/culprit', minimize: false }).catch((error: unknown) => error);
  expect(found).toBeInstanceOf(ViolationFound);
  const { message, path } = found as ViolationFound;
  expect(path).toBeUndefined();
  expect(message).toMatch(/^violated {2}mutualExclusion: .* both hold the lock$/m);
  expect(message).toMatch(/^unsaved {3}\/proc\/culprit\/mutual-exclusion-\S+ cannot be written: .*\.$/m);
  expect(message).not.toContain('again ');
});
