/** The edge between two parts of the page, which the pointer and the arrow keys move. */
interface Props {
  /** The custom property of the page that has the size of the part after the edge, in pixels. */
  readonly property: '--panel' | '--topology';
  readonly isVertical: boolean;
  readonly name: string;
}

/** The distance that an arrow key moves it. */
const STEP = 24;
const LEAST = 120;

export function Divider({ property, isVertical, name }: Props) {
  const resize = (edge: HTMLElement, by: number): void => {
    const part = edge.nextElementSibling?.getBoundingClientRect();
    const size = (isVertical ? part?.width : part?.height) ?? LEAST;
    document.documentElement.style.setProperty(property, `${Math.max(LEAST, Math.round(size + by))}px`);
  };
  return (
    <div
      class={`divider ${isVertical ? 'vertical' : 'horizontal'}`}
      role="separator"
      aria-orientation={isVertical ? 'vertical' : 'horizontal'}
      aria-label={name}
      tabIndex={0}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX, clientY }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return;
        const { left, top } = currentTarget.getBoundingClientRect();
        resize(currentTarget, isVertical ? left - clientX : top - clientY);
      }}
      onKeyDown={(key) => {
        const [larger, smaller] = isVertical ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
        if (key.key !== larger && key.key !== smaller) return;
        resize(key.currentTarget, key.key === larger ? STEP : -STEP);
        key.preventDefault();
        key.stopPropagation();
      }}
    />
  );
}
