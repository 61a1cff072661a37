/** Light where it is dark, dark where it is light. Until then the page is as the system is. */
export function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const isDark =
    dataset['theme'] === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : dataset['theme'] === 'dark';
  dataset['theme'] = isDark ? 'light' : 'dark';
}
