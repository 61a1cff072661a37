import { hunt } from 'culprit';
import { test } from 'node:test';
import payment from './payment.system.js';

// A violation fails the test with its story, and its trace is saved in .culprit/. Commit that folder: saved traces run
// first from then on.
test('every order is charged once', async () => {
  await hunt(payment, { executions: 1_000 });
});
