import { behavior } from 'culprit';

/** Sends one message to the clerk when it starts. */
export const sender = <Message>(message: Message) =>
  behavior<object, Message>({
    start(ctx) {
      ctx.send('clerk', message);
      return {};
    },
    receive: () => undefined,
  });
