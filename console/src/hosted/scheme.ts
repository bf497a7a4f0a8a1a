/** Applies the colour scheme that the person chose in the console, or else that of the system. */
export const applyScheme = (): void => {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.style.colorScheme = chosen
}

/** Whether the page is dark, as the person or the system chose. */
export const isDark = (): boolean => {
  const { colorScheme } = document.documentElement.style
  return colorScheme === '' ? matchMedia('(prefers-color-scheme: dark)').matches : colorScheme === 'dark'
}
