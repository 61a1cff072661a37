/** Event indices, the largest first: a binary heap without objects. */
export class MaxHeap {
  private readonly heap: number[] = [];

  add(index: number): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(index);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const above = heap[up] as number;
      if (above >= index) break;
      heap[at] = above;
      at = up;
    }
    heap[at] = index;
  }

  /** Takes the largest out; undefined when nothing is left. */
  take(): number | undefined {
    const { heap } = this;
    const largest = heap[0];
    const moved = heap.pop();
    if (moved !== undefined && heap.length > 0) this.sink(moved);
    return largest;
  }

  clear(): void {
    this.heap.length = 0;
  }

  private sink(index: number): void {
    const { heap } = this;
    const { length } = heap;
    let at = 0;
    for (let down = 1; down < length; down = 2 * at + 1) {
      if (down + 1 < length && (heap[down + 1] as number) > (heap[down] as number)) down += 1;
      if ((heap[down] as number) <= index) break;
      heap[at] = heap[down] as number;
      at = down;
    }
    heap[at] = index;
  }
}
