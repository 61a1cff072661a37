import { hunt } from 'culprit';
import { test } from '@jest/globals';
import payment from './payment.system.js';

// A violation fails the test with its story, and its trace is saved in .culprit/. Commit that folder: saved traces run
// first from then on.
//
// Jest runs ES modules behind a flag: node --experimental-vm-modules node_modules/jest/bin/jest.js
test('every order is charged once', async () => {
  await hunt(payment, { executions: 1_000 });
});
