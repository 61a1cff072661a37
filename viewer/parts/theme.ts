/** Switches between light and dark. The initial theme is that of the operating system. */
export function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const isDark =
    dataset['theme'] === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : dataset['theme'] === 'dark';
  dataset['theme'] = isDark ? 'light' : 'dark';
}
