import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Invitation } from '@tenantry/client'
import { useState } from 'react'
import { BulkProgress } from '../../components/bulk-progress.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useBulk } from '../../components/use-bulk.ts'
import { useDraft } from '../../components/use-draft.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useIsConnectionOnly } from '../settings/settings.queries.ts'
import { StartingRoles } from '../users/users.views.tsx'
import { InvitationLinks, InvitedResult } from './invitation-links.tsx'
import { useRenewInvitations } from './invitations.queries.ts'

/** The default limit of a tenant per day (docs/contract.md, "Invitations"). */
const atOnceMax = 200

const useCheckAddresses = () => {
  const { t } = useTranslation()
  const check = useFieldChecks()('email')
  return (text: string): string | null => {
    const people = addressesIn(text)
    const faulty = people.filter(({ email }) => check(email) !== null)
    if (faulty.length > 0) {
      return t('invitations.noAddress', { texts: faulty.map(({ email }) => email).join(', ') })
    }
    return people.length > atOnceMax ? t('invitations.tooMany', { count: atOnceMax }) : null
  }
}

const useInviteForm = (onClose: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewInvitations()
  const bulk = useBulk<Recipient>()
  const [made, setMade] = useState<Invitation[]>([])
  const form = useForm({
    initialValues: { emails: '', roles: [] as string[] },
    validate: { emails: useCheckAddresses() },
  })
  useDraft('invite', form)
  const sending = useSubmit(form, async ({ emails, roles }) => {
    const people = addressesIn(emails)
    const invited: Invitation[] = []
    const done = await bulk.run(people, async (person) => {
      invited.push(await api.invitations.create({ ...person, role_ids: roles.map(Number) }))
    })
    await renew()
    const links = [...made, ...invited.filter(({ link }) => link !== '')]
    setMade(links)
    // Addresses whose invitation failed stay in the field.
    form.setValues({ emails: textOf(people.filter((person) => !done.includes(person))) })
    if (done.length < people.length || links.length > 0) return
    notify(t('invitations.sent', { count: done.length, email: done[0]?.email }))
    onClose()
  })
  return { form, bulk, made, isDone: made.length > 0 && form.values.emails === '', ...sending }
}

interface InviteDialogProps {
  onClose: () => void
}

/** Invites people. If the service sends no e-mail, the dialog shows the links. */
export const InviteDialog = ({ onClose }: InviteDialogProps) => {
  const { t } = useTranslation()
  const inviting = useInviteForm(onClose)
  const { form, made, isDone, isSending } = inviting
  return (
    <FormDialog
      isDirty={!isDone && form.isDirty()}
      onClose={onClose}
      title={t(isDone ? 'invitations.isMade' : 'invitations.invite')}
      closeOnClickOutside={false}
      isPending={isSending}
    >
      {isDone ? (
        <InvitedResult invitations={made} onClose={onClose} />
      ) : (
        <InviteForm inviting={inviting} onClose={onClose} />
      )}
    </FormDialog>
  )
}

interface InviteFormProps extends InviteDialogProps {
  inviting: ReturnType<typeof useInviteForm>
}

const InviteForm = ({ inviting, onClose }: InviteFormProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { form, bulk, made, onSubmit, isSending } = inviting
  const isConnectionOnly = useIsConnectionOnly()
  return (
    <form noValidate onSubmit={onSubmit} autoComplete="off">
      <Stack>
        <BulkProgress {...bulk} idOf={({ email }) => email} nameOf={({ email }) => email} />
        {made.length > 0 && <InvitationLinks invitations={made} />}
        {isConnectionOnly ? (
          <Alert color="yellow">{t('invitations.connectionOnly')}</Alert>
        ) : (
          <Text size="sm" c="dimmed">
            {t('invitations.inviteHint')}
          </Text>
        )}
        <Textarea
          label={t('invitations.emails')}
          description={t('invitations.emailsHint')}
          required
          autosize
          minRows={3}
          maxRows={10}
          data-autofocus
          {...form.getInputProps('emails')}
        />
        {can('role:read') && (
          <StartingRoles value={form.values.roles} onChange={(roles) => form.setValues({ roles })} />
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t('invitations.send')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface Recipient {
  email: string
  nickname: string
}

const nicknameMax = 64

/** Splits at commas, semicolons and line ends that are not in quotes. */
const partsOf = (text: string): string[] =>
  (text.match(/(?:"[^"\n]*"|[^\n,;"])+/g) ?? []).map((part) => part.trim())

/** A name and its address, as in `Ada <ada@example.com>`; otherwise addresses separated by spaces. */
const peopleIn = (part: string): Recipient[] => {
  const [, name = '', email] = /^([^<]*)<([^<>\s]+)>$/.exec(part) ?? []
  if (email !== undefined) {
    const nickname = [...name.replaceAll('"', '').trim()].slice(0, nicknameMax).join('')
    return [{ email, nickname }]
  }
  return part
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => ({ email: word, nickname: '' }))
}

/** The recipients in a text, separated by lines, commas, semicolons or spaces. Each address counts once. */
const addressesIn = (text: string): Recipient[] => {
  const found = new Map<string, Recipient>()
  for (const person of partsOf(text).flatMap(peopleIn)) {
    const key = person.email.toLowerCase()
    if (!found.has(key)) found.set(key, person)
  }
  return [...found.values()]
}

/** The inverse of `addressesIn`. */
const textOf = (people: Recipient[]): string =>
  people.map(({ email, nickname }) => (nickname === '' ? email : `"${nickname}" <${email}>`)).join('\n')
