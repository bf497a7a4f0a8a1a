import { Exclude } from 'class-transformer'
import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinTable,
  ManyToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm'

@Entity('tenants')
export class Tenant {
  @PrimaryGeneratedColumn('uuid') id: string
  @Column() name: string
  @Column({ unique: true }) slug: string
  @Column({ default: 1 }) status: number
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date
}

@Entity('permissions')
export class Permission {
  @PrimaryColumn() id: number
  @Column({ unique: true }) code: string
  @Column() name: string
  @Column() module: string
  @Column() description: string
}

@Entity('roles')
@Index(['tenantId', 'name'], { unique: true })
export class Role {
  @PrimaryGeneratedColumn() id: number
  @Column('uuid') tenantId: string
  @Column() name: string
  @Column({ default: '' }) description: string
  @Column({ default: false }) isSystem: boolean
  @ManyToMany(() => Permission)
  @JoinTable({ name: 'role_permissions' })
  permissions: Permission[]
}

@Entity('users')
@Index(['tenantId', 'username'], { unique: true })
export class User {
  @PrimaryGeneratedColumn() id: number
  @Index() @Column('uuid') tenantId: string
  @Column() username: string
  @Column({ unique: true }) email: string
  @Exclude() @Column() passwordHash: string
  @Column({ default: '' }) nickname: string
  @Column({ default: '' }) avatar: string
  @Column({ default: 1 }) status: number
  @Column('timestamptz', { nullable: true }) lastLogin: Date | null
  @ManyToMany(() => Role)
  @JoinTable({ name: 'user_roles' })
  roles: Role[]
}

@Entity('refresh_tokens')
export class RefreshToken {
  @PrimaryGeneratedColumn('uuid') id: string
  @Index() @Column() userId: number
  @Column('timestamptz') expiresAt: Date
  @Column({ default: false }) revoked: boolean
}

@Entity('audit_logs')
@Index(['tenantId', 'id'])
export class AuditLog {
  @PrimaryGeneratedColumn() id: number
  @Column('uuid') tenantId: string
  @Column() userId: number
  @Column() action: string
  @Column() resource: string
  @Column() resourceId: string
  @Column('jsonb') detail: unknown
  @Column() ip: string
  @Column() userAgent: string
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date
}

@Entity('settings')
@Index(['tenantId', 'key'], { unique: true })
export class Setting {
  @PrimaryGeneratedColumn() id: number
  @Column('uuid') tenantId: string
  @Column() key: string
  @Column('jsonb') value: unknown
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date
}

@Entity('notifications')
@Index(['tenantId', 'userId'])
export class Notification {
  @PrimaryGeneratedColumn() id: number
  @Column('uuid') tenantId: string
  @Column() userId: number
  @Column() title: string
  @Column() content: string
  @Column({ default: false }) isRead: boolean
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date
}
