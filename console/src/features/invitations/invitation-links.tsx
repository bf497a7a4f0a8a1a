import { Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import type { Invitation } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { InvitationLinkNote } from './invitation-link.tsx'

type Shown = Pick<Invitation, 'id' | 'email' | 'link'>

/** The links of invitations, if no e-mail is sent. They are shown once. */
export const InvitationLinks = ({ invitations }: { invitations: Shown[] }) => {
  const { t } = useTranslation()
  return (
    <Stack>
      <Text size="sm" role="status">
        {t('invitations.shown', { count: invitations.length })}
      </Text>
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {invitations.map(({ id, email, link }) => (
          <li key={id}>
            <Text size="sm" fw={500} className="breakable">
              {email}
            </Text>
            <CopyText text={link} label={t('invitations.copyLinkOf', { email })} />
          </li>
        ))}
      </Stack>
      <InvitationLinkNote link={invitations[0]?.link ?? ''} />
    </Stack>
  )
}

interface ShownResultProps {
  invitations: Shown[]
  onClose: () => void
}

export const InvitedResult = ({ invitations, onClose }: ShownResultProps) => {
  const { t } = useTranslation()
  const lines = invitations.map(({ email, link }) => `${email}\t${link}`)
  return (
    <Stack>
      <InvitationLinks invitations={invitations} />
      <Group justify="flex-end">
        {lines.length > 1 && (
          <CopyButton value={lines.join('\n')}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {t(copied ? 'common.copied' : 'invitations.copyAll')}
              </Button>
            )}
          </CopyButton>
        )}
        <Button onClick={onClose} data-autofocus>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}
