import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { Notification } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lengthOf } from '../../components/field-checks.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useFormat } from '../../format.ts'
import { Recipients, type Recipient } from './recipients.tsx'
import { SendResults } from './send-results.tsx'
import { useSending } from './use-sending.ts'

/** In Unicode code points (docs/contract.md, "Notifications"). */
const titleMax = 200
const contentMax = 10_000

interface Message {
  title: string
  content: string
  type: Notification['type']
}

const isWritten = ({ title, content }: Message): boolean => `${title}${content}` !== ''

const isSendable = ({ title, content }: Message): boolean =>
  title.trim() !== '' && lengthOf(title.trim()) <= titleMax && lengthOf(content) <= contentMax

/** Sends a message to one or many users, one by one, and reports each outcome. */
export const SendDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const [recipients, setRecipients] = useState<Recipient[]>([])
  const [message, setMessage] = useState<Message>({ title: '', content: '', type: 'info' })
  const sending = useSending(message)
  return (
    <FormDialog
      isDirty={sending.outcomes.length === 0 && (recipients.length > 0 || isWritten(message))}
      onClose={onClose}
      size="lg"
      title={t('notifications.sendTitle')}
      closeOnClickOutside={false}
      isPending={sending.isRunning}
    >
      {sending.outcomes.length > 0 ? (
        <SendResults sending={sending} onClose={onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            sending.send(recipients)
          }}
        >
          <Stack>
            <Recipients chosen={recipients} onChange={setRecipients} label={t('notifications.recipients')} />
            <MessageFields message={message} onChange={setMessage} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('common.cancel')}
              </Button>
              <Button type="submit" disabled={recipients.length === 0 || !isSendable(message)}>
                {t('notifications.send')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </FormDialog>
  )
}

const types = ['info', 'success', 'warning', 'error'] as const

interface MessageFieldsProps {
  message: Message
  onChange: (message: Message) => void
}

const MessageFields = ({ message, onChange }: MessageFieldsProps) => {
  const { t } = useTranslation()
  const { title, content, type } = message
  return (
    <>
      <TextInput
        label={t('notifications.titleField')}
        required
        value={title}
        onChange={(event) => onChange({ ...message, title: event.currentTarget.value })}
        {...useCounter(lengthOf(title.trim()), titleMax)}
      />
      <Textarea
        label={t('notifications.content')}
        autosize
        minRows={4}
        maxRows={12}
        value={content}
        onChange={(event) => onChange({ ...message, content: event.currentTarget.value })}
        {...useCounter(lengthOf(content), contentMax)}
      />
      <Select
        label={t('notifications.type')}
        data={types.map((value) => ({ value, label: t(`notificationTypes.${value}`) }))}
        value={type}
        allowDeselect={false}
        onChange={(value) => onChange({ ...message, type: value ?? 'info' })}
      />
    </>
  )
}

/** Shows the length of a text and its limit below the field; an error if it is too long. */
const useCounter = (length: number, max: number) => {
  const { t } = useTranslation()
  const format = useFormat()
  const text = t('notifications.count', { count: length, max: format.count(max) })
  return {
    description: text,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as const satisfies string[],
    error: length > max,
  }
}
