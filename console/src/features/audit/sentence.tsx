import { Fragment } from 'react'
import { upper, type SentencePart } from './audit.texts.ts'

/** The sentence as plain text, beginning with a capital. */
export const sentenceOf = (parts: SentencePart[]): string => upper(parts.map(({ text }) => text).join(''))

export const Sentence = ({ parts }: { parts: SentencePart[] }) => {
  let at = 0
  return parts.map(({ text, isName }) => {
    at += 1
    return isName ? <b key={at}>{text}</b> : <Fragment key={at}>{text}</Fragment>
  })
}
