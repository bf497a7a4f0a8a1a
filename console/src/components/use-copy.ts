import { useState } from 'react'

type Copying = 'not yet' | 'done' | 'failed'

/** Copies a text that is shown once, and reports the outcome: a secret that only seems copied would be lost. */
export const useCopy = (text: string, onCopied: () => void) => {
  const [copying, setCopying] = useState<Copying>('not yet')
  const copy = async (): Promise<void> => {
    try {
      // `clipboard` is absent without TLS, which throws as well.
      await navigator.clipboard.writeText(text)
      setCopying('done')
      onCopied()
    } catch {
      setCopying('failed')
    }
  }
  return { copying, copy: () => void copy() }
}
