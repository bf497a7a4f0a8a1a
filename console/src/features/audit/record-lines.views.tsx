import { Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { Ago } from '../../components/ago.tsx'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { type NamedLog, useActors } from './actors.texts.ts'
import { upper, useAuditTexts, type SentencePart } from './audit.texts.ts'

/** Records as sentences, each with a link to its record. */
export const RecordLines = ({ records }: { records: NamedLog[] }) => {
  const { nameOf } = useActors()
  return (
    <Stack gap={0}>
      {records.map((record) => (
        <RecordLine key={record.id} record={record} name={nameOf(record)} />
      ))}
    </Stack>
  )
}

const RecordLine = ({ record, name }: { record: NamedLog; name: string }) => {
  const format = useFormat()
  const { ofRecord } = useAuditTexts()
  const { link } = useScope()
  const { id, created_at } = record
  return (
    <UnstyledButton
      className="event"
      title={format.moment(created_at)}
      renderRoot={(props: object) => <Link to="/audit" search={{ ...link, id }} {...props} />}
    >
      <Group justify="space-between" align="baseline" wrap="nowrap" gap="sm">
        <Text size="sm" miw={0} className="breakable">
          {name} <Sentence parts={ofRecord(record)} />
        </Text>
        <Ago at={created_at} size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }} />
      </Group>
    </UnstyledButton>
  )
}

/** The sentence as plain text, beginning with a capital. */
export const sentenceOf = (parts: SentencePart[]): string => upper(parts.map(({ text }) => text).join(''))

export const Sentence = ({ parts }: { parts: SentencePart[] }) => {
  let at = 0
  return parts.map(({ text, isName }) => {
    at += 1
    return isName ? <b key={at}>{text}</b> : <Fragment key={at}>{text}</Fragment>
  })
}
