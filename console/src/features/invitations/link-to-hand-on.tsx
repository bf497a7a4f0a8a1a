import { Stack, Text } from '@mantine/core'
import { CopyText } from '../../components/copy-text.tsx'
import { useAuthOptions } from '../../session/auth-options.ts'
import { useTranslation } from '../../translation.ts'

/** Says that a shown link proves no mailbox, and where the e-mail is a file. */
export const HandOnNote = () => {
  const { t } = useTranslation()
  const isInFile = useAuthOptions().data?.mail_in_files === true
  return (
    <Text size="xs" c="dimmed" className="breakable">
      {t('invitations.handOn')} {isInFile && t('invitations.inFile')}
    </Text>
  )
}

/** The link of an invitation that no mail server took. It is not shown again. */
export const LinkToHandOn = ({ link }: { link: string }) => {
  const { t } = useTranslation()
  return (
    <Stack gap={6}>
      <CopyText text={link} label={t('invitations.copyLink')} />
      <HandOnNote />
    </Stack>
  )
}
