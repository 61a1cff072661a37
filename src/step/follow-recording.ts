import { hex } from '../trace/digest.ts';
import { isInternal } from '../trace/event.ts';
import { identitiesOf, isSameExternal, type LoadedRecording } from './recorded.ts';
import type { Move, Track } from './track.ts';

/** The events of the recording in order; events that cannot happen are skipped. */
export function along(recording: LoadedRecording, track: Track): () => Move | undefined {
  const happened = identitiesOf(track.events);
  let seen = track.session.world.length;
  let left = 0;
  return () => {
    for (const event of track.session.recording.events.since(seen)) happened.add(hex(event));
    seen = track.session.world.length;
    left = recording.firstLeft(happened, left);
    const found = recording.next(track.session, happened, left);
    return found && { event: found.event, ...ofWorkload(found.event, track) };
  };
}

/** The progress of the workload after a recorded event, if the event belongs to the workload. */
function ofWorkload(event: Move['event'], { plan, progress }: Track): { readonly workload?: number } {
  if (isInternal(event)) return {};
  const at = plan.findIndex(
    (item, index) => index >= progress.at && item.kind !== 'wait' && isSameExternal(item, event),
  );
  return at < 0 ? {} : { workload: at + 1 };
}
