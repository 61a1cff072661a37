import { behaviour } from 'culprit';

/** Sends one message to the clerk as it starts. */
export const sender = <Message>(message: Message) =>
  behaviour<object, Message>({
    start(ctx) {
      ctx.send('clerk', message);
      return {};
    },
    receive: () => undefined,
  });
