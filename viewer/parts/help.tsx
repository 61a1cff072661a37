import { useLayoutEffect, useRef } from 'preact/hooks';
import { keyHelp } from '../model/keys.ts';
import { Glyph, nameOf, shapeNames } from './glyph.tsx';

/** Keys and shapes. */
export function Help({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key: Escape may follow at once.
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="help" onClose={onClose} aria-label="Keys and shapes">
      <div class="columns">
        <table>
          <caption>Keys</caption>
          <tbody>
            {keyHelp.map(([keys, what]) => (
              <tr key={keys}>
                <td>
                  <kbd>{keys}</kbd>
                </td>
                <td>{what}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <table>
          <caption>Shapes</caption>
          <tbody>
            {shapeNames.map((shape) => (
              <tr key={shape}>
                <td>
                  <svg width={18} height={18} viewBox="-9 -9 18 18" aria-hidden="true">
                    <Glyph shape={shape} x={0} y={0} />
                  </svg>
                </td>
                <td>{nameOf(shape)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>
        An arrow that ends in a cross is a lost message; one that ends in an open circle was never delivered. In the
        list, ↑ happened before the event at the cursor and ↓ after it; pale events without a sign are concurrent with
        it. ✗ marks the violation.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
