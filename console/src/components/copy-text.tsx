import { ActionIcon, Code, CopyButton, Group } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'

export const CopyText = ({ text, label }: { text: string; label: string }) => {
  const { t } = useTranslation()
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Code className="cut">{text}</Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={label}
            title={copied ? t('common.copied') : label}
            onClick={copy}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  )
}
