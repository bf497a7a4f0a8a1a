import changelog from '../../../CHANGELOG.md?raw'
import { blocksOf } from './markdown-blocks.ts'

export const news = blocksOf(changelog)
