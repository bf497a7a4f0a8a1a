import { useState } from 'react'

type Copying = 'not yet' | 'done' | 'failed'

/**
 * Copies a text that is shown only once. Reports the outcome, because the user would lose a secret that only seems
 * copied.
 */
export const useCopy = (text: string, onCopied: () => void, onFailed?: () => void) => {
  const [copying, setCopying] = useState<Copying>('not yet')
  const copy = async (): Promise<void> => {
    try {
      // Without TLS `clipboard` is missing, so this line throws.
      await navigator.clipboard.writeText(text)
      setCopying('done')
      onCopied()
    } catch {
      setCopying('failed')
      onFailed?.()
    }
  }
  return { copying, copy: () => void copy() }
}
