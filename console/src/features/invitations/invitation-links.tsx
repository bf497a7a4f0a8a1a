import { Button, Code, Group, Stack, Text } from '@mantine/core'
import type { Invitation } from '@tenantry/client'
import { useState } from 'react'
import { CopyButton, CopyText } from '../../components/copy-text.tsx'
import { useAuthOptions } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'

type Shown = Pick<Invitation, 'id' | 'email' | 'link'>

/** The links of invitations that the service did not mail. They are shown once. */
export const InvitationLinks = ({
  invitations,
  onCopy,
}: {
  invitations: Shown[]
  onCopy?: (() => void) | undefined
}) => {
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
            <CopyText text={link} label={t('invitations.copyLinkOf', { email })} onCopy={onCopy} />
          </li>
        ))}
      </Stack>
      <InvitationLinkNote link={invitations[0]?.link ?? ''} />
    </Stack>
  )
}

interface ShownResultProps {
  invitations: Shown[]
  onCopy?: () => void
  onClose: () => void
}

export const InvitedResult = ({ invitations, onCopy, onClose }: ShownResultProps) => {
  const { t } = useTranslation()
  const lines = invitations.map(({ email, link }) => `${email}\t${link}`)
  return (
    <Stack>
      <InvitationLinks invitations={invitations} onCopy={onCopy} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        <CopyButton
          text={lines.length > 1 ? lines.join('\n') : (invitations[0]?.link ?? '')}
          label={t(lines.length > 1 ? 'invitations.copyAll' : 'invitations.copyLink')}
          onCopy={onCopy}
        />
      </Group>
    </Stack>
  )
}

/** Asks before a window with links closes, until one of them is copied. */
export const useCopyQuestion = () => {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const question = {
    title: t('invitations.uncopiedTitle'),
    confirm: t('common.close'),
    children: t('invitations.uncopiedText'),
  }
  return { isCopied, question, onCopy: () => setCopied(true) }
}

/**
 * Names the host of a shown link. Says that the link proves no mailbox, and whether the e-mail was written to a file.
 */
const InvitationLinkNote = ({ link }: { link: string }) => {
  const { t, gap } = useTranslation()
  const isInFile = useAuthOptions().data?.mail_in_files === true
  return (
    <Text size="xs" c="dimmed" className="breakable">
      {t('invitations.leadsTo', { host: URL.parse(link)?.host ?? link })}
      {gap}
      {t('invitations.handOn')}
      {isInFile && gap + t('invitations.inFile')}
    </Text>
  )
}

/** The link of an invitation that the service did not mail. It is shown once. */
export const InvitationLink = ({ link }: { link: string }) => {
  const { t } = useTranslation()
  return (
    <Stack gap={6}>
      <Code block className="whole">
        {link}
      </Code>
      <Text size="sm">{t('invitations.notAgain')}</Text>
      <InvitationLinkNote link={link} />
    </Stack>
  )
}
