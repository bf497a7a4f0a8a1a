import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Invitation } from '@tenantry/client'
import { useState } from 'react'
import { BulkProgress } from '../../components/bulk-progress.tsx'
import { EndFields, endOf, useDayCheck, type EndValues } from '../../components/end-fields.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useBulk } from '../../components/use-bulk.ts'
import { useDraft } from '../../components/use-draft.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useTimeZone } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useIsConnectionOnly } from '../settings/settings.queries.ts'
import { StartingRoles } from '../users/users.views.tsx'
import { addressesIn, textOf, type Recipient } from '../../components/addresses-in-text.ts'
import { InvitationLinks, InvitedResult, useCopyQuestion } from './invitation-links.tsx'
import { useRenew } from '../../components/use-renew.ts'

/** The default limit of a tenant per day (docs/contract.md, "Invitations"). */
const atOnceMax = 200

const useCheckAddresses = () => {
  const { t, comma } = useTranslation()
  const check = useFieldChecks()('email')
  return (text: string): string | null => {
    const people = addressesIn(text)
    const faulty = people.filter(({ email }) => check(email) !== null)
    if (faulty.length > 0) {
      return t('invitations.noAddress', { texts: faulty.map(({ email }) => `“${email}”`).join(comma) })
    }
    return people.length > atOnceMax ? t('invitations.tooMany', { count: atOnceMax }) : null
  }
}

const useInviteForm = (onClose: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const bulk = useBulk<Recipient>()
  const [made, setMade] = useState<Invitation[]>([])
  const zone = useTimeZone()
  const form = useForm<EndValues & { emails: string; roles: string[] }>({
    initialValues: { emails: '', roles: [], expires_at: 'never', day: '' },
    validate: { emails: useCheckAddresses(), day: useDayCheck() },
  })
  useDraft('invite', form)
  const sending = useSubmit(form, async ({ emails, roles, ...ending }) => {
    const people = addressesIn(emails)
    const invited: Invitation[] = []
    const end = roles.length > 0 ? endOf(ending, zone) : undefined
    const gift = end === undefined ? {} : { roles_expire_at: end }
    const done = await bulk.run(people, async (person) => {
      invited.push(await api.invitations.create({ ...person, role_ids: roles.map(Number), ...gift }))
    })
    const links = [...made, ...invited.filter(({ link }) => link !== '')]
    setMade(links)
    // Addresses whose invitation failed stay in the field. The person can correct them while the page loads anew.
    form.setValues({ emails: textOf(people.filter((person) => !done.includes(person))) })
    await renew()
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
  const { isCopied, question, onCopy } = useCopyQuestion()
  return (
    <FormDialog
      isDirty={isDone ? !isCopied : form.isDirty()}
      question={isDone && question}
      onClose={onClose}
      title={t(isDone ? 'invitations.isMade' : 'invitations.invite')}
      closeOnClickOutside={false}
      isPending={isSending}
    >
      {(close) =>
        isDone ? (
          <InvitedResult invitations={made} onCopy={onCopy} onClose={close} />
        ) : (
          <InviteForm inviting={inviting} onClose={onClose} />
        )
      }
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
        <BulkProgress {...bulk} nameOf={({ email }) => email} />
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
        {form.values.roles.length > 0 && (
          <EndFields
            form={form}
            label={t('invitations.rolesEnd')}
            lifetimes={['never', '1', '7', '30', '90', 'date']}
            never={t('invitations.rolesStay')}
          />
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
