/** Applies the colour scheme that the person chose in the console, or else that of the system. */
export const applyScheme = (): void => {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.style.colorScheme = chosen
}
