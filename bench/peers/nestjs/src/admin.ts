import {
  Body,
  ConflictException,
  Controller,
  Delete,
  Get,
  HttpCode,
  Injectable,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  Req,
} from '@nestjs/common'
import { ConfigService } from '@nestjs/config'
import { InjectRepository } from '@nestjs/typeorm'
import bcrypt from 'bcrypt'
import type { Request } from 'express'
import { DataSource, EntityManager, ILike, Repository } from 'typeorm'
import { CurrentUser, Public, RequirePermission, type Payload } from './auth.js'
import { AssignRoleDto, CreateUserDto, ListUsersDto, PageDto, UpdateSettingDto } from './dto.js'
import { AuditLog, Notification, Role, Setting, User } from './entities.js'

interface Origin {
  ip: string
  userAgent: string
}

const originOf = (request: Request): Origin => ({
  ip: request.ip ?? '',
  userAgent: request.headers['user-agent'] ?? '',
})

@Injectable()
export class UsersService {
  constructor(
    private readonly config: ConfigService,
    private readonly dataSource: DataSource,
    @InjectRepository(User) private readonly users: Repository<User>,
  ) {}

  async get(tenantId: string, id: number): Promise<User> {
    const user = await this.users.findOneBy({ tenantId, id })
    if (!user) throw new NotFoundException()
    return user
  }

  async list(tenantId: string, { search, page, page_size: pageSize }: ListUsersDto) {
    const like = ILike(`%${search}%`)
    const where = search
      ? [
          { tenantId, username: like },
          { tenantId, email: like },
          { tenantId, nickname: like },
        ]
      : { tenantId }
    const [items, total] = await this.users.findAndCount({
      where,
      order: { id: 'ASC' },
      take: pageSize,
      skip: (page - 1) * pageSize,
    })
    return { items, total, page }
  }

  async create({ sub, tid }: Payload, { password, ...input }: CreateUserDto, origin: Origin): Promise<User> {
    const passwordHash = await bcrypt.hash(password, Number(this.config.get('BCRYPT_COST')))
    return this.dataSource.transaction(async (manager) => {
      const role = await manager.getRepository(Role).findOneBy({ tenantId: tid, name: 'member' })
      const users = manager.getRepository(User)
      const user = await users.save(
        users.create({ ...input, passwordHash, tenantId: tid, roles: role ? [role] : [] }),
      )
      await manager.getRepository(AuditLog).save({
        tenantId: tid,
        userId: sub,
        action: 'user.create',
        resource: 'user',
        resourceId: String(user.id),
        detail: { email: user.email, username: user.username },
        ...origin,
      })
      return user
    })
  }
}

@Controller()
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get('profile')
  profile(@CurrentUser() user: Payload) {
    return this.users.get(user.tid, user.sub)
  }

  @Get('users')
  @RequirePermission('user:read')
  list(@CurrentUser() user: Payload, @Query() query: ListUsersDto) {
    return this.users.list(user.tid, query)
  }

  @Get('users/:id')
  @RequirePermission('user:read')
  get(@CurrentUser() user: Payload, @Param('id', ParseIntPipe) id: number) {
    return this.users.get(user.tid, id)
  }

  @Post('users')
  @HttpCode(200)
  @RequirePermission('user:create')
  create(@CurrentUser() user: Payload, @Body() body: CreateUserDto, @Req() request: Request) {
    return this.users.create(user, body, originOf(request))
  }
}

@Controller('rbac/roles')
export class RolesController {
  constructor(@InjectRepository(Role) private readonly roles: Repository<Role>) {}

  @Get()
  @RequirePermission('role:read')
  list(@CurrentUser() { tid }: Payload) {
    return this.roles.find({
      where: { tenantId: tid },
      relations: { permissions: true },
      order: { id: 'ASC' },
    })
  }
}

@Controller('rbac/users/:userId/roles')
export class AssignmentsController {
  constructor(private readonly dataSource: DataSource) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('role:assign')
  async assign(
    @CurrentUser() caller: Payload,
    @Param('userId', ParseIntPipe) userId: number,
    @Body() { role_id: roleId }: AssignRoleDto,
    @Req() request: Request,
  ): Promise<null> {
    await this.dataSource.transaction(async (manager) => {
      const { user, role } = await this.find(manager, caller.tid, userId, roleId)
      if (user.roles.some(({ id }) => id === roleId)) throw new ConflictException()
      await manager.createQueryBuilder().relation(User, 'roles').of(user).add(role)
      await this.record(manager, 'role.assign', caller, user, role, originOf(request))
    })
    return null
  }

  @Delete(':roleId')
  @RequirePermission('role:assign')
  async unassign(
    @CurrentUser() caller: Payload,
    @Param('userId', ParseIntPipe) userId: number,
    @Param('roleId', ParseIntPipe) roleId: number,
    @Req() request: Request,
  ): Promise<null> {
    await this.dataSource.transaction(async (manager) => {
      const { user, role } = await this.find(manager, caller.tid, userId, roleId)
      if (!user.roles.some(({ id }) => id === roleId)) throw new NotFoundException()
      await manager.createQueryBuilder().relation(User, 'roles').of(user).remove(role)
      await this.record(manager, 'role.unassign', caller, user, role, originOf(request))
    })
    return null
  }

  private async find(manager: EntityManager, tenantId: string, userId: number, roleId: number) {
    const user = await manager.getRepository(User).findOne({
      where: { tenantId, id: userId },
      relations: { roles: true },
    })
    const role = await manager.getRepository(Role).findOneBy({ tenantId, id: roleId })
    if (!user || !role) throw new NotFoundException()
    return { user, role }
  }

  private async record(
    manager: EntityManager,
    action: string,
    { sub, tid }: Payload,
    user: User,
    role: Role,
    origin: Origin,
  ): Promise<void> {
    await manager.getRepository(AuditLog).save({
      tenantId: tid,
      userId: sub,
      action,
      resource: 'role',
      resourceId: String(role.id),
      detail: { user_id: user.id, username: user.username, role: role.name },
      ...origin,
    })
  }
}

@Controller('audit/logs')
export class AuditController {
  constructor(@InjectRepository(AuditLog) private readonly audit: Repository<AuditLog>) {}

  @Get()
  @RequirePermission('audit:read')
  async list(@CurrentUser() { tid }: Payload, @Query() { page, page_size: pageSize }: PageDto) {
    const [items, total] = await this.audit.findAndCount({
      where: { tenantId: tid },
      order: { id: 'DESC' },
      take: pageSize,
      skip: (page - 1) * pageSize,
    })
    return { items, total, page }
  }
}

@Controller('settings/tenant')
export class SettingsController {
  constructor(private readonly dataSource: DataSource) {}

  @Put(':key')
  @RequirePermission('setting:update')
  async put(
    @CurrentUser() { sub, tid }: Payload,
    @Param('key') key: string,
    @Body() { value }: UpdateSettingDto,
    @Req() request: Request,
  ): Promise<null> {
    await this.dataSource.transaction(async (manager) => {
      const settings = manager.getRepository(Setting)
      const before = await settings.findOneBy({ tenantId: tid, key })
      await settings.save({ ...before, tenantId: tid, key, value } as Setting)
      await manager.getRepository(AuditLog).save({
        tenantId: tid,
        userId: sub,
        action: before ? 'setting.update' : 'setting.create',
        resource: 'setting',
        resourceId: key,
        detail: { value: { from: before?.value, to: value } },
        ...originOf(request),
      })
    })
    return null
  }
}

@Controller('notifications')
export class NotificationsController {
  constructor(@InjectRepository(Notification) private readonly notifications: Repository<Notification>) {}

  @Get('unread-count')
  async unreadCount(@CurrentUser() { sub, tid }: Payload) {
    return { count: await this.notifications.countBy({ tenantId: tid, userId: sub, isRead: false }) }
  }
}

@Controller()
export class SystemController {
  @Get('ping')
  ping() {
    return { message: 'pong' }
  }

  @Public()
  @Get('healthz')
  healthz() {
    return { status: 'ok' }
  }
}
