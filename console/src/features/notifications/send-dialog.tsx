import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { Notification } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lengthOf } from '../../components/field-checks.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useFormat } from '../../format.ts'
import { AudienceFields, isAddressed, nobodyYet, type Audience } from './audience.tsx'
import { BroadcastProgress } from './broadcast-progress.tsx'
import { SendResults } from './send-results.tsx'
import { useBroadcast } from './use-broadcast.ts'
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

/** Sends to the chosen users one by one, and to a role or everyone in batches of the service. */
const useSend = (message: Message) => {
  const sending = useSending(message)
  const broadcast = useBroadcast()
  const send = ({ kind, users, roleId }: Audience): void => {
    if (kind === 'one') sending.send(users)
    else broadcast.begin({ ...message, ...(kind === 'role' && roleId !== undefined && { role_id: roleId }) })
  }
  const isRunning = sending.isRunning || broadcast.isRunning
  return { sending, broadcast, send, isRunning, hasBegun: sending.outcomes.length > 0 || isRunning }
}

/** Sends a message to some users, to the holders of a role or to everyone, and reports what became of it. */
export const SendDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const [audience, setAudience] = useState(nobodyYet)
  const [message, setMessage] = useState<Message>({ title: '', content: '', type: 'info' })
  const { sending, broadcast, send, isRunning, hasBegun } = useSend(message)
  const isTyped = audience.users.length > 0 || isWritten(message)
  return (
    <FormDialog
      isDirty={!hasBegun && !broadcast.sending && isTyped}
      onClose={onClose}
      size="lg"
      title={t('notifications.sendTitle')}
      closeOnClickOutside={false}
      isPending={isRunning}
    >
      {sending.outcomes.length > 0 ? (
        <SendResults sending={sending} onClose={onClose} />
      ) : broadcast.sending ? (
        <BroadcastProgress broadcast={broadcast} sending={broadcast.sending} onClose={onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            send(audience)
          }}
        >
          <Stack>
            {broadcast.error && <ErrorPanel error={broadcast.error} />}
            <AudienceFields audience={audience} onChange={setAudience} />
            <MessageFields message={message} onChange={setMessage} />
            <SendButtons
              isReady={isAddressed(audience) && isSendable(message)}
              isEveryone={audience.kind === 'everyone'}
              isRunning={isRunning}
              onClose={onClose}
            />
          </Stack>
        </form>
      )}
    </FormDialog>
  )
}

interface SendButtonsProps {
  isReady: boolean
  isEveryone: boolean
  isRunning: boolean
  onClose: () => void
}

const SendButtons = ({ isReady, isEveryone, isRunning, onClose }: SendButtonsProps) => {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end">
      <Button variant="default" disabled={isRunning} onClick={onClose}>
        {t('common.cancel')}
      </Button>
      <Button type="submit" disabled={!isReady} loading={isRunning}>
        {t(isEveryone ? 'sendings.begin' : 'notifications.send')}
      </Button>
    </Group>
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
