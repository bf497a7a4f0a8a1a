import { Stack, Text } from '@mantine/core'
import { CopyText } from '../../components/copy-text.tsx'
import { useAuthOptions } from '../../session/auth-options.ts'
import { useTranslation } from '../../translation.ts'

/**
 * Names the host of a shown link. Says that the link proves no mailbox, and whether the e-mail was written to a file.
 */
export const InvitationLinkNote = ({ link }: { link: string }) => {
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

/** The link of an invitation that no mail server took. It is shown once. */
export const InvitationLink = ({ link }: { link: string }) => {
  const { t } = useTranslation()
  return (
    <Stack gap={6}>
      <CopyText text={link} label={t('invitations.copyLink')} />
      <Text size="sm">{t('invitations.notAgain')}</Text>
      <InvitationLinkNote link={link} />
    </Stack>
  )
}
