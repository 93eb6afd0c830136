DELETE FROM limits WHERE limit_name = 'view_changes';
